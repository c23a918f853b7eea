import { SegmentedControl, Stack } from '@mantine/core';
import { type ComponentType, useEffect, useRef } from 'react';
import { usePlace } from '../place/use-place.ts';

export interface PartsProps {
  /** The tab's identifier. */
  readonly of: string;
  /** What is chosen, for who does not see the names. */
  readonly label: string;
  /** By what stands in the address: `#audit/verification`. The first is shown where it names none of them. */
  readonly parts: Readonly<Record<string, { readonly label: string; readonly part: ComponentType }>>;
}

/** A tab of several parts, one of which is shown. */
export function Parts({ of, label, parts }: PartsProps) {
  const { place, goTo } = usePlace();
  const chosen = Object.entries(parts).find(([name]) => name === place.part) ?? Object.entries(parts)[0];
  const name = chosen?.[0] ?? '';
  const Part = chosen?.[1].part;
  // On a small screen the names are wider than it: the one that is chosen is brought into sight.
  const names = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const shown = names.current?.querySelector(`input[value="${name}"] + label`);
    shown?.scrollIntoView({ block: 'nearest', inline: 'center' });
  }, [name]);
  return (
    <Stack gap="lg">
      <div ref={names} style={{ overflowX: 'auto' }}>
        <SegmentedControl
          aria-label={label}
          data={Object.entries(parts).map(([value, part]) => ({ value, label: part.label }))}
          value={name}
          onChange={(next) => goTo(of, next)}
        />
      </div>
      {Part !== undefined && <Part />}
    </Stack>
  );
}
