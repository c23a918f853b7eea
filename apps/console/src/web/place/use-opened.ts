import { useDisclosure } from '@mantine/hooks';
import { useEffect } from 'react';
import { usePlace } from './use-place.ts';

/**
 * A dialog that an address opens by its name: `#users?open=user`. Opened, the address names it no longer: it is an order, and no place to
 * come back to.
 */
export function useOpened(name: string): readonly [boolean, { readonly open: () => void; readonly close: () => void }] {
  const [opened, { open, close }] = useDisclosure(false);
  const { place, choose } = usePlace();
  const isAsked = place.words.get('open') === name;
  useEffect(() => {
    if (!isAsked) return;
    open();
    choose({ open: null }, { replace: true });
    // Both are other functions at every drawing, and do the same.
  }, [isAsked]);
  return [opened, { open, close }];
}
