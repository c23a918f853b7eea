/** One line to the watchdog: what to end, or to remove, should `npm start` be killed. */
export type Message =
  | { readonly what: 'process' | 'database' | 'ended'; readonly pid: number }
  | { readonly what: 'path'; readonly path: string };
