import { legible } from '@gateway/contract/legible';
import { Text } from '@mantine/core';
import { ClampedLink } from '../../ui/named.tsx';

/** A name in a log, as a link to all its entries in the decision log. */
export function Found({ name, by }: { name: string | null; by: 'subject' | 'resource' | 'session' }) {
  if (name === null) return <Text size="sm">–</Text>;
  return (
    <ClampedLink
      lines={2}
      {...(by === 'session' ? { size: 'xs', ff: 'monospace', miw: 76 } : {})}
      href={`#audit/decisions?${new URLSearchParams({ [by]: name }).toString()}`}
    >
      {legible(name)}
    </ClampedLink>
  );
}
