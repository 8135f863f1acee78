import { AppError } from '../../contract/errors.ts';
import { message } from '../../contract/messages.ts';

/** The modes of the service, fixed at its start. */
export interface ServiceMode {
  /** False: every caller is the local owner, and the program accepts connections on loopback only. */
  authentication: boolean;
  on_prem: boolean;
  /** Whether users can be created, changed and deleted. */
  user_management: boolean;
  /** Whether there is a single workspace with a single admin. */
  single_workspace: boolean;
}

const RUN_MODES = ['DESKTOP', 'ONPREM'];
const SWITCHES: Readonly<Record<string, boolean>> = { true: true, '1': true, false: false, '0': false };

/**
 * Reads `DISABLE_AUTH`, `RUN_MODE` and `SINGLE_WORKSPACE_MODE`.
 * @throws AppError `invalid_request` for an unknown value: a typing error must not leave a server open.
 */
export function readServiceMode(environment: Readonly<Record<string, string | undefined>>): ServiceMode {
  const runMode = (environment.RUN_MODE || 'DESKTOP').trim().toUpperCase();
  if (!RUN_MODES.includes(runMode))
    throw new AppError('invalid_request', message('run_mode_unknown', { choices: RUN_MODES.join(' or ') }));
  const authentication = !readSwitch(environment, 'DISABLE_AUTH', true);
  const onPrem = runMode === 'ONPREM';
  return {
    authentication,
    on_prem: onPrem,
    user_management: onPrem && authentication,
    single_workspace: readSwitch(environment, 'SINGLE_WORKSPACE_MODE', true),
  };
}

function readSwitch(
  environment: Readonly<Record<string, string | undefined>>,
  name: string,
  otherwise: boolean,
): boolean {
  const text = environment[name]?.trim().toLowerCase();
  if (text === undefined || text === '') return otherwise;
  const value = Object.hasOwn(SWITCHES, text) ? SWITCHES[text] : undefined;
  if (value === undefined) throw new AppError('invalid_request', message('switch_unknown', { name }));
  return value;
}
