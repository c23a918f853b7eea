import { Button } from '@mantine/core';
import type { Provider } from '../../api/objects.ts';
import { Layer } from '../../ui/layer.tsx';
import { useDialog } from '../../ui/use-dialog.ts';
import { TestState, useConnectionTest } from './connection-test.tsx';

/** Requests a test from a gateway, and shows its result. */
export function TestConnection({ provider }: { provider: Provider }) {
  const { opened, made, open, close } = useDialog();
  const test = useConnectionTest();
  const begin = () => {
    open();
    test.ask({ method: 'POST', path: `/api/providers/${provider.id}/test` });
  };
  return (
    <>
      <Button size="compact-sm" variant="subtle" aria-label={`Test connection to ${provider.name}`} onClick={begin}>
        Test
      </Button>
      {made && (
        <Layer opened={opened} close={close} title={`Connection to ${provider.name}`}>
          <TestState test={test} />
        </Layer>
      )}
    </>
  );
}
