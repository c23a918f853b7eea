import { MantineProvider } from '@mantine/core';
import { Notifications } from '@mantine/notifications';
import { QueryClientProvider } from '@tanstack/react-query';
import { render } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import type { ReactNode } from 'react';
import { createQueries } from '../api/queries.ts';
import { colours, theme } from '../theme.ts';

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
    <MantineProvider theme={theme} cssVariablesResolver={colours}>
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
