import { useState } from 'react';
import { flushSync } from 'react-dom';

/**
 * A dialog that is made when it is first opened: a table has some in every row, and most are never used. It is first mounted
 * closed, and then stays: only so can it record where the focus was, and restore it.
 */
export function useDialog(): {
  readonly opened: boolean;
  readonly made: boolean;
  readonly open: () => void;
  readonly close: () => void;
} {
  const [state, setState] = useState<'unmade' | 'closed' | 'opened'>('unmade');
  return {
    opened: state === 'opened',
    made: state !== 'unmade',
    open() {
      flushSync(() => setState('closed'));
      setState('opened');
    },
    close: () => setState('closed'),
  };
}
