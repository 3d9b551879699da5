/** The page's own scheme and origin: an address that nothing outside can have. */
export const pageScheme = 'app';
export const pageOrigin = `${pageScheme}://lab`;
