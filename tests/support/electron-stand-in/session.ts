type RequestHandler = (contents: null, permission: string, answer: (isGranted: boolean) => void) => void;
type CheckHandler = (contents: null, permission: string) => boolean;

/** Keeps the handlers; Chromium has no hook for them, so that the test asks them itself. Without one all is granted. */
class Session {
  #request: RequestHandler = (_contents, _permission, answer) => answer(true);
  #check: CheckHandler = () => true;
  #device: () => boolean = () => true;

  setPermissionRequestHandler(handler: RequestHandler): void {
    this.#request = handler;
  }

  setPermissionCheckHandler(handler: CheckHandler): void {
    this.#check = handler;
  }

  setDevicePermissionHandler(handler: () => boolean): void {
    this.#device = handler;
  }

  async judge(permission: string): Promise<{ requested: boolean; checked: boolean; device: boolean }> {
    const requested = await new Promise<boolean>((resolve) => this.#request(null, permission, resolve));
    return { requested, checked: this.#check(null, permission), device: this.#device() };
  }
}

export const session = { defaultSession: new Session() };
