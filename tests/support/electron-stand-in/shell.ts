import { tell } from './control.ts';

export const shell = {
  openExternal(address: string): Promise<void> {
    tell({ tag: 'told', what: 'open-external', value: address });
    return Promise.resolve();
  },
};
