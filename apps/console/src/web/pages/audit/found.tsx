import { legible } from '@gateway/contract/legible';
import { Anchor, Text } from '@mantine/core';

/** A name in a log, as a link to all its entries in the decision log. */
export function Found({ name, by }: { name: string | null; by: 'subject' | 'resource' | 'session' }) {
  if (name === null) return <Text size="sm">–</Text>;
  return (
    <Anchor
      size={by === 'session' ? 'xs' : 'sm'}
      {...(by === 'session' ? { ff: 'monospace' } : {})}
      href={`#audit/decisions?${new URLSearchParams({ [by]: name }).toString()}`}
      style={{ overflowWrap: 'anywhere' }}
    >
      {legible(name)}
    </Anchor>
  );
}
