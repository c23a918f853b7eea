import { useEffect, useState } from 'react';
import { request } from '../../api/request.ts';
import type { PolicyPreview } from './preview.tsx';

const PAUSE_MILLISECONDS = 600;

/**
 * The console's check of a text, requested shortly after the last key; null until the result for exactly this text is there.
 */
export function usePreview(text: string, isWritten: boolean): [PolicyPreview | null, (preview: PolicyPreview) => void] {
  const [known, setKnown] = useState<{ text: string; preview: PolicyPreview } | null>(null);
  const isKnown = known?.text === text;
  useEffect(() => {
    if (!isWritten || isKnown || text.trim() === '') return undefined;
    const abort = new AbortController();
    const timer = setTimeout(() => {
      request<PolicyPreview>('POST', '/api/policies/check', { cedar: text }, abort.signal).then(
        (preview) => setKnown({ text, preview }),
        () => undefined, // "Check" and "Install" report errors
      );
    }, PAUSE_MILLISECONDS);
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [text, isWritten, isKnown]);
  return [isKnown ? known.preview : null, (preview) => setKnown({ text, preview })];
}
