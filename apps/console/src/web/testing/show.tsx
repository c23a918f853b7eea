import { createTheme, MantineProvider, mergeThemeOverrides } from '@mantine/core';
import { Notifications } from '@mantine/notifications';
import { QueryClientProvider } from '@tanstack/react-query';
import { render } from '@testing-library/react';
import { type UserEvent, userEvent } from '@testing-library/user-event';
import type { ReactNode } from 'react';
import { onTestFinished } from 'vitest';
import { createQueries } from '../api/queries.ts';
import { colours, theme } from '../theme.ts';

/** Nothing has a position here: each choice of a list would count as scrolled out of sight, and be hidden. */
const WITHOUT_POSITIONS = createTheme({ components: { Popover: { defaultProps: { hideDetached: false } } } });
const THEME = mergeThemeOverrides(theme, WITHOUT_POSITIONS);

/**
 * Shows a part of the pages as the product does: with its theme, its notifications, and its way of reading. What the console answers
 * is declared before, with `given`. Returns the person who uses it.
 * @param at the fragment of the address: `#users?search=ada`
 */
export function show(part: ReactNode, at = '') {
  history.replaceState(null, '', `/${at}`);
  const queries = createQueries();
  const { queries: reading, ...others } = queries.getDefaultOptions();
  // The pause before a failed read is repeated is not what is tested.
  queries.setDefaultOptions({ ...others, queries: { ...reading, retryDelay: 0 } });
  const shown = (inner: ReactNode) => (
    <MantineProvider theme={THEME} cssVariablesResolver={colours}>
      <QueryClientProvider client={queries}>
        <Notifications />
        {inner}
      </QueryClientProvider>
    </MantineProvider>
  );
  const { rerender, unmount } = render(shown(part));
  return {
    /** Presses, types and moves as a person does, without pauses. */
    user: userEvent.setup({ delay: null }),
    /** Shows the part with other properties. */
    again: (next: ReactNode) => rerender(shown(next)),
    unmount,
    queries,
  };
}

/** Replaces the text of a field by another one at once: typing draws the page for every letter, which is slow. */
export async function fill(user: UserEvent, field: HTMLElement, text: string): Promise<void> {
  await user.clear(field);
  await user.paste(text);
}

/** Makes the screen of the rest of this test as small as a phone's. */
export function onPhone(): void {
  const { happyDOM } = window as unknown as {
    happyDOM: { setViewport: (size: { readonly width: number }) => void };
  };
  const width = innerWidth;
  happyDOM.setViewport({ width: 390 });
  onTestFinished(() => happyDOM.setViewport({ width }));
}
