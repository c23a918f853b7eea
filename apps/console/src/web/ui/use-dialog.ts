import { useState } from 'react';
import { flushSync } from 'react-dom';

/**
 * A dialog that is made when it is first opened: a table has some in every row, and most are never asked for. Once made it stays,
 * and it stands closed before it is opened: only so does it see where the focus was, and give it back there.
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
