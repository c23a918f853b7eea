import { type ComponentType, useEffect, useState } from 'react';
import { listPath } from '../../api/list.ts';
import { request } from '../../api/request.ts';
import type { ReadNames } from './cedar-language.ts';
import type { ColouredEditorProps } from './coloured-editor.tsx';
import { TextEditor, type TextEditorProps } from './text-editor.tsx';

/** The lists in which names of a type are found. */
const LISTS: Readonly<Record<string, { readonly path: string; readonly plural: string; readonly name: string }>> = {
  Endpoint: { path: '/api/endpoints', plural: 'endpoints', name: 'name' },
  Subject: { path: '/api/subjects', plural: 'subjects', name: 'subject' },
};

const readNames: ReadNames = async (type, text) => {
  const list = LISTS[type];
  if (list === undefined) return [];
  try {
    const path = listPath(list.path, { search: text, limit: '50' });
    const answer = await request<Readonly<Record<string, readonly Record<string, string>[]>>>('GET', path);
    return (answer[list.plural] ?? []).map((row) => row[list.name] ?? '');
  } catch {
    return []; // who may not read the list types the name
  }
};

/** The editor that was loaded, and where the cursor was in the plain one; null: elsewhere. */
interface Loaded {
  readonly editor: ComponentType<ColouredEditorProps>;
  readonly cursor: number | null;
}

/** Where the cursor is in a field that the keyboard is in; null where it is elsewhere. */
function cursorIn(label: string): number | null {
  const field = document.activeElement;
  const isHere = field instanceof HTMLTextAreaElement && field.getAttribute('aria-label') === label;
  return isHere ? field.selectionStart : null;
}

/**
 * A Cedar policy set as a text. The editor that colours it is loaded with this page only: until it is here, and where it cannot be
 * loaded, a plain one takes the text.
 */
export function CedarEditor(props: TextEditorProps) {
  const [loaded, setLoaded] = useState<Loaded | null>(null);
  useEffect(() => {
    let isShown = true;
    const load = async () => {
      try {
        const { ColouredEditor } = await import('./coloured-editor.tsx');
        if (isShown) setLoaded({ editor: ColouredEditor, cursor: cursorIn(props.label) });
      } catch {
        // The plain editor stays.
      }
    };
    load().catch(() => undefined);
    return () => {
      isShown = false;
    };
  }, [props.label]);
  if (loaded === null) return <TextEditor {...props} />;
  const { editor: Editor, cursor } = loaded;
  const takesFocus = cursor !== null || props.takesFocus === true;
  return <Editor {...props} takesFocus={takesFocus} cursor={cursor ?? 0} names={readNames} />;
}
