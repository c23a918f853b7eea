import { useDisclosure } from '@mantine/hooks';
import { useEffect } from 'react';
import { useRoute } from './use-route.ts';

/**
 * A dialog that an address opens by its name: `#users?open=user`. Once opened, the name is removed from the address: it is a
 * command, not a location to return to.
 */
export function useOpened(name: string): readonly [boolean, { readonly open: () => void; readonly close: () => void }] {
  const [opened, { open, close }] = useDisclosure(false);
  const { route, setParams } = useRoute();
  const isAsked = route.params.get('open') === name;
  useEffect(() => {
    if (!isAsked) return;
    open();
    setParams({ open: null }, { replace: true });
    // `open` and `setParams` change at every render, and always do the same.
  }, [isAsked]);
  return [opened, { open, close }];
}
