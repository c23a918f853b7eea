// The program for `gw -p`, with all that an answer always needs in one part: each part costs its start a third of a millisecond.
export { main } from './main.ts';
