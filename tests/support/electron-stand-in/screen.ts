import type { Rectangle } from 'electron';

const usual: readonly Rectangle[] = [{ x: 0, y: 0, width: 1920, height: 1080 }];

/** Displays as the test says in `STAND_IN_DISPLAYS`: a JSON list of rectangles. */
export const screen = {
  getAllDisplays(): { workArea: Rectangle }[] {
    const said = process.env['STAND_IN_DISPLAYS'];
    const areas = said === undefined ? usual : (JSON.parse(said) as Rectangle[]);
    return areas.map((workArea) => ({ workArea }));
  },
};
