import { type Verdict, View } from '../verify/view.ts';

/** A text for checks: complete, or with more to arrive. */
export function viewOf(text: string, final = true): View {
  const view = new View();
  view.bytes = Buffer.from(text, 'latin1');
  view.end = view.bytes.length;
  view.final = final;
  return view;
}

/** A check, run at the first occurrence of `keyword`. */
export function ask(
  check: (view: View, from: number, to: number) => Verdict,
  keyword: string,
  text: string,
  final = true,
): { readonly verdict: Verdict; readonly value: string; readonly view: View } {
  const view = viewOf(text, final);
  const from = text.toLowerCase().indexOf(keyword.toLowerCase());
  if (from < 0) throw new Error(`"${keyword}" is not in the text`);
  const verdict = check(view, from, from + keyword.length);
  return { verdict, value: text.slice(view.from, view.to), view };
}
