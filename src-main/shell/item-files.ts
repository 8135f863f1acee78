import { clipboard, type IpcMain, type IpcMainInvokeEvent, nativeImage, shell } from 'electron';

/** Channel by which a page asks for the file of an item, named by the signed address of its original. */
const ITEM_FILE_CHANNEL = 'vitrine:item-file';
const ACTIONS = ['reveal', 'copy_path', 'drag'] as const;

interface ItemFileOptions {
  ipc: IpcMain;
  isTrustedSender: (event: IpcMainInvokeEvent) => boolean;
  /** Path of the file behind an address; undefined if it has none of its own. */
  locate: (address: string) => Promise<string | undefined>;
  /** Picture under the pointer while a file is dragged. */
  dragIcon: string;
}

/**
 * Shows the file of an item in the file manager, copies its path, or begins to drag it to another program. A page names the item by an
 * address that the core signed, never a path. Answers whether there is such a file.
 */
export function handleItemFiles({ ipc, isTrustedSender, locate, dragIcon }: ItemFileOptions): void {
  ipc.handle(ITEM_FILE_CHANNEL, async (event, action: unknown, address: unknown): Promise<boolean> => {
    if (!isTrustedSender(event) || typeof address !== 'string') return false;
    const known = ACTIONS.find((one) => one === action);
    const path = known === undefined ? undefined : await locate(address);
    if (path === undefined) return false;
    if (known === 'reveal') shell.showItemInFolder(path);
    else if (known === 'copy_path') clipboard.writeText(path);
    else event.sender.startDrag({ file: path, icon: nativeImage.createFromPath(dragIcon) });
    return true;
  });
}
