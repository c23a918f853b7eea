import { createContext } from 'react';

/** The surface that is shown, by its path, and the tabs that it has in this build. */
export const Surface = createContext<{ readonly path: string; readonly tabs: readonly string[] }>({
  path: '/',
  tabs: [],
});
