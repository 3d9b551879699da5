/** An event whose listeners may refuse what is about to happen. */
export interface Wish {
  readonly isRefused: boolean;
  preventDefault(): void;
}

export function wish<Facts extends object>(facts?: Facts): Wish & Facts {
  let isRefused = false;
  return {
    ...(facts as Facts),
    get isRefused() {
      return isRefused;
    },
    preventDefault() {
      isRefused = true;
    },
  };
}
