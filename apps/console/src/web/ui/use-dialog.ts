import { useDisclosure } from '@mantine/hooks';
import { useState } from 'react';

/**
 * A dialog that is made when it is first opened: a table has some in every row, and most are never asked for. Once made it stays,
 * so that the focus goes back to where it came from.
 */
export function useDialog(): {
  readonly opened: boolean;
  readonly made: boolean;
  readonly open: () => void;
  readonly close: () => void;
} {
  const [opened, { open, close }] = useDisclosure(false);
  const [made, setMade] = useState(false);
  return { opened, made, open: () => (setMade(true), open()), close };
}
