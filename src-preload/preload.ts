import { contextBridge, type IpcRendererEvent, ipcRenderer, webUtils } from 'electron';
import type { AppEvent } from '../src-main/contract/events.ts';
import type { BridgeCommand, VitrineBridge } from './bridge.ts';

// Sandboxed: this file becomes one script that can load nothing but `electron`, so only types are imported from elsewhere.

const listeners = new Set<(event: AppEvent) => void>();

ipcRenderer.on('vitrine:event', (_event: IpcRendererEvent, event: AppEvent) => {
  for (const listener of listeners) listener(event);
});

const bridge: VitrineBridge = {
  invoke: (operation, input) => ipcRenderer.invoke('vitrine:invoke', operation, input),
  subscribe: (listener) => {
    // Its own entry for each subscription, so that the same function given twice is also removed twice.
    const entry = (event: AppEvent): void => listener(event);
    listeners.add(entry);
    if (listeners.size === 1) void ipcRenderer.invoke('vitrine:subscribe', true);
    return () => {
      if (listeners.delete(entry) && listeners.size === 0) void ipcRenderer.invoke('vitrine:subscribe', false);
    };
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
  platform: process.platform,
};

contextBridge.exposeInMainWorld('vitrine', bridge);
