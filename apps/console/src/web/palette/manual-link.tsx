import { Anchor } from '@mantine/core';
import { useGatewayUrl } from '../pages/endpoints/snippets.tsx';
import type { Tab } from '../tabs/tab.ts';

/** A link to the manual's page about the current tab; the gateway serves the manual. */
export function ManualLink({ tab, part }: { tab: Pick<Tab, 'label' | 'manual' | 'manuals'>; part: string }) {
  const { url } = useGatewayUrl();
  const { manuals = {} } = tab;
  const page = Object.hasOwn(manuals, part) ? manuals[part] : tab.manual;
  return (
    <Anchor
      size="sm"
      href={`${url}/v/${page}`}
      target="_blank"
      rel="noreferrer"
      aria-label={`Manual: ${tab.label}, in a new tab`}
      pb={8}
      style={{ flexShrink: 0 }}
    >
      Manual
    </Anchor>
  );
}
