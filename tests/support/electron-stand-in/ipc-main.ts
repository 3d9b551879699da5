import { EventEmitter } from 'node:events';

export const ipcMain = new EventEmitter();
