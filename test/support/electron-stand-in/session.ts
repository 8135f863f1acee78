import { onCommand } from './control.ts';

type RequestHandler = (
  contents: { getURL(): string },
  permission: string,
  callback: (isGranted: boolean) => void,
) => void;
type CheckHandler = (contents: unknown, permission: string, origin: string) => boolean;

let onRequest: RequestHandler = (_contents, _permission, callback) => callback(true);
let onCheck: CheckHandler = () => true;

export const session = {
  defaultSession: {
    setPermissionRequestHandler: (handler: RequestHandler): void => {
      onRequest = handler;
    },
    setPermissionCheckHandler: (handler: CheckHandler): void => {
      onCheck = handler;
    },
    setDevicePermissionHandler: (): void => undefined,
  },
};

/** Reports whether a page with the given URL would be granted a permission, by check and by request. */
onCommand('permission', (argument) => {
  const { permission, url } = argument as { permission: string; url: string };
  return new Promise((resolve) => {
    const isChecked = onCheck(null, permission, url);
    onRequest({ getURL: () => url }, permission, (isGranted) => resolve(isChecked && isGranted));
  });
});
