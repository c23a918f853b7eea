import { SegmentedControl, Stack } from '@mantine/core';
import { type ComponentType, useEffect, useRef } from 'react';
import { useRoute } from '../route/use-route.ts';

export interface PartsProps {
  /** The tab's identifier. */
  readonly of: string;
  /** The label of the choice, for screen readers. */
  readonly label: string;
  /** Selected by the address: `#audit/verification`. The first is shown if it names none of them. */
  readonly parts: Readonly<Record<string, { readonly label: string; readonly part: ComponentType }>>;
}

/** A tab of several parts, one of which is shown. */
export function Parts({ of, label, parts }: PartsProps) {
  const { route, goTo } = useRoute();
  const chosen = Object.entries(parts).find(([name]) => name === route.part) ?? Object.entries(parts)[0];
  const name = chosen?.[0] ?? '';
  const Part = chosen?.[1].part;
  // A small screen does not show all names: the chosen one is scrolled into view. `scrollIntoView` would also make the Tab key begin here.
  const names = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const list = names.current;
    const shown = list?.querySelector(`input[value="${name}"] + label`)?.getBoundingClientRect();
    if (list === null || shown === undefined) return;
    const { left, width } = list.getBoundingClientRect();
    list.scrollLeft += shown.left + shown.width / 2 - (left + width / 2);
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
