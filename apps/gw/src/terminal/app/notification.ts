import { safeText } from '../text/safe.ts';

const MOST = 80;

/** A bell, and a notification in the terminals that show one (OSC 9). */
export function notification(title: string): string {
  return `\x07\x1b]9;${oneLine(`gw: the turn is over. ${title}`)}\x07`;
}

/** The window's title. */
export function titleSequence(title: string): string {
  return `\x1b]2;${oneLine(title === '' ? 'gw' : `gw: ${title}`)}\x07`;
}

function oneLine(text: string): string {
  return safeText(text)
    .replaceAll(/[\s;]+/g, ' ')
    .slice(0, MOST);
}
