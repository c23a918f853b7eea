import type { ContentPart } from '../../agent/types.ts';

/** Long pasted texts and images are shown in the text as `[Pasted text #1, 40 lines]` and `[Image #2]`. */
export interface Attachments {
  readonly byLabel: ReadonlyMap<string, string | ContentPart>;
  readonly count: number;
}
export const NO_ATTACHMENTS: Attachments = { byLabel: new Map(), count: 0 };

const LONG_LINES = 8;
const LONG_CHARACTERS = 1500;

export function isLong(text: string): boolean {
  return text.length > LONG_CHARACTERS || text.split('\n').length > LONG_LINES;
}

export function attach({ byLabel, count }: Attachments, content: string | ContentPart): [Attachments, string] {
  const number = count + 1;
  const label =
    typeof content === 'string'
      ? `[Pasted text #${number}, ${content.split('\n').length} lines]`
      : `[Image #${number}]`;
  return [{ byLabel: new Map([...byLabel, [label, content]]), count: number }, label];
}

/** The text with the pasted texts inserted. */
export function expand({ byLabel }: Attachments, text: string): string {
  return text.replaceAll(/\[Pasted text #\d+, \d+ lines\]/g, (label) => {
    const content = byLabel.get(label);
    return typeof content === 'string' ? content : label;
  });
}

/** The message as sent: a text, or parts if it has images. */
export function messageOf(attachments: Attachments, text: string): string | readonly ContentPart[] {
  const images = [...attachments.byLabel].flatMap(([label, content]) =>
    typeof content !== 'string' && text.includes(label) ? [content] : [],
  );
  const whole = expand(attachments, text);
  return images.length === 0 ? whole : [{ type: 'text', text: whole }, ...images];
}
