import { contextBridge, type IpcRendererEvent, ipcRenderer, webUtils } from 'electron';
import type { AppEvent } from '../src-main/contract/events.ts';
import type { BridgeCommand, VitrineBridge } from './bridge.ts';

// Sandboxed: this file is bundled to one script that can only load `electron`, so it imports only types from elsewhere.

const listeners = new Set<(event: AppEvent) => void>();

ipcRenderer.on('vitrine:event', (_event: IpcRendererEvent, event: AppEvent) => {
  for (const listener of listeners) listener(event);
});

const bridge: VitrineBridge = {
  invoke: (operation, input) => ipcRenderer.invoke('vitrine:invoke', operation, input),
  subscribe: (listener) => {
    // A separate entry per subscription, so that a function that was added twice is also removed twice.
    const entry = (event: AppEvent): void => listener(event);
    listeners.add(entry);
    if (listeners.size === 1) void ipcRenderer.invoke('vitrine:subscribe', true);
    return () => {
      if (listeners.delete(entry) && listeners.size === 0) void ipcRenderer.invoke('vitrine:subscribe', false);
    };
  },
  onCoreAway: (listener) => {
    ipcRenderer.on('vitrine:core-away', (_event: IpcRendererEvent, isAway: boolean) => listener(isAway));
  },
  pathForFile: (file) => webUtils.getPathForFile(file),
  chooseFolder: () => ipcRenderer.invoke('vitrine:choose-folder'),
  onCommand: (listener) => {
    const entry = (_event: IpcRendererEvent, command: BridgeCommand): void => listener(command);
    ipcRenderer.on('vitrine:command', entry);
    return () => {
      ipcRenderer.removeListener('vitrine:command', entry);
    };
  },
  onOpening: (listener) => {
    const take = async (): Promise<void> => {
      const opening = await ipcRenderer.invoke('vitrine:take-opening');
      if (opening !== null) listener(opening);
    };
    const entry = (): void => void take();
    ipcRenderer.on('vitrine:opening', entry);
    // Something may wait since before the page was loaded.
    void take();
    return () => {
      ipcRenderer.removeListener('vitrine:opening', entry);
    };
  },
  itemFile: (action, address) => ipcRenderer.invoke('vitrine:item-file', action, address),
  trashFile: (action, address) => ipcRenderer.invoke('vitrine:trash-file', action, address),
  readLog: () => ipcRenderer.invoke('vitrine:log', 'read'),
  openLog: () => ipcRenderer.invoke('vitrine:log', 'open'),
  platform: process.platform,
};

contextBridge.exposeInMainWorld('vitrine', bridge);
