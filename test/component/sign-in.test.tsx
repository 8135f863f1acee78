import { fireEvent, screen, waitFor } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { AppError } from '../../src-main/contract/errors.ts';
import { asWritten } from '../../src-main/contract/messages.ts';
import { LoginForm } from '../../src-renderer/features/sign-in/LoginForm.tsx';
import { SetupForm } from '../../src-renderer/features/sign-in/SetupForm.tsx';
import { fakeServer, renderPage } from '../support/render-page.tsx';

const OPTIONS = { authentication: true, oidc: null, passkeys: false, setup_needed: false };

const type = (testId: string, value: string) => fireEvent.change(screen.getByTestId(testId), { target: { value } });
const button = (testId: string) => screen.getByTestId<HTMLButtonElement>(testId);

describe('the login form', () => {
  it('needs both fields, and clears the password when the login is refused', async () => {
    const server = fakeServer({
      get_login_options: () => OPTIONS,
      login: () => {
        throw new AppError('unauthenticated', asWritten('Refused'));
      },
    });
    const onDone = vi.fn();
    renderPage(<LoginForm onDone={onDone} />);
    expect(button('login-submit').disabled).toBe(true);
    type('login-username', ' ada ');
    type('login-password', 'wrong');
    fireEvent.click(button('login-submit'));
    await screen.findByText('The username or password is wrong.');
    expect(server.inputsOf('login')).toEqual([{ username: 'ada', password: 'wrong' }]);
    expect(screen.getByTestId<HTMLInputElement>('login-password').value).toBe('');
    expect(onDone).not.toHaveBeenCalled();
  });

  it('asks for a code where the account has a second factor', async () => {
    const server = fakeServer({
      get_login_options: () => OPTIONS,
      login: ({ code }) => {
        if (code === undefined) throw new AppError('second_factor_required', asWritten('Enter the code'));
        throw new AppError('unauthenticated', asWritten('The code is wrong, or was used before'));
      },
    });
    renderPage(<LoginForm onDone={() => undefined} />);
    type('login-username', 'ada');
    type('login-password', 'right');
    fireEvent.click(button('login-submit'));
    const code = await screen.findByTestId<HTMLInputElement>('login-code');
    expect(document.activeElement).toBe(code);
    expect(screen.queryByText('The username or password is wrong.')).toBeNull();
    type('login-code', '000000');
    fireEvent.click(button('login-submit'));
    await screen.findByText('The code is wrong, or was used before');
    expect(server.inputsOf('login').at(-1)).toEqual({ username: 'ada', password: 'right', code: '000000' });
    expect(code.value).toBe('');
  });

  it('offers the identity provider, and explains when no administrator exists', async () => {
    const server = fakeServer({ get_login_options: () => ({ ...OPTIONS, oidc: { name: 'Company' } }) });
    const { unmount } = renderPage(<LoginForm onDone={() => undefined} />);
    expect((await screen.findByTestId('login-oidc')).textContent).toBe('Sign in with Company');
    unmount();
    server.answer({ get_login_options: () => ({ ...OPTIONS, setup_needed: true }) });
    renderPage(<LoginForm onDone={() => undefined} />);
    expect((await screen.findByTestId('setup-needed')).textContent).toContain('No administrator exists yet.');
  });
});

describe('the set-up form', () => {
  it('needs equal passwords, and shows each refused field beside it', async () => {
    const server = fakeServer({
      setup_first_admin: () => {
        throw new AppError('invalid_input', asWritten('Invalid'), { username: 'This name is taken' });
      },
    });
    renderPage(<SetupForm token="once" onDone={() => undefined} />);
    for (const [name, value] of Object.entries({ username: 'ada', first_name: 'Ada', last_name: 'Admin' }))
      type(`setup-${name}`, value);
    type('setup-password', 'long enough to use');
    type('setup-again', 'something else');
    await screen.findByText('The passwords do not match.');
    expect(button('setup-submit').disabled).toBe(true);
    type('setup-again', 'long enough to use');
    fireEvent.click(button('setup-submit'));
    await screen.findByText('This name is taken');
    expect(screen.getByTestId('setup-username').getAttribute('aria-invalid')).toBe('true');
    expect(screen.queryByText('Invalid')).toBeNull();
    await waitFor(() => expect(server.inputsOf('setup_first_admin')).toHaveLength(1));
  });
});
