import type { MenuItemConstructorOptions } from 'electron';

/** A menu as its template says; nobody sees it, and the test chooses from it. */
export class Menu {
  static #application: Menu | null = null;
  readonly items: readonly MenuItemConstructorOptions[];

  private constructor(items: readonly MenuItemConstructorOptions[]) {
    this.items = items;
  }

  static buildFromTemplate(template: readonly MenuItemConstructorOptions[]): Menu {
    return new Menu(template);
  }

  static setApplicationMenu(menu: Menu): void {
    Menu.#application = menu;
  }

  static getApplicationMenu(): Menu | null {
    return Menu.#application;
  }

  /** All that can be chosen, without the menus that hold it. */
  get choices(): readonly MenuItemConstructorOptions[] {
    const below = (items: readonly MenuItemConstructorOptions[]): MenuItemConstructorOptions[] =>
      items.flatMap((item) => (Array.isArray(item.submenu) ? below(item.submenu) : [item]));
    return below(this.items);
  }

  getMenuItemById(id: string): MenuItemConstructorOptions | null {
    return this.choices.find((item) => item.id === id) ?? null;
  }
}
