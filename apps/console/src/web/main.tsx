import '@fontsource-variable/inter/wght.css';
import '@mantine/core/styles.css';
import '@mantine/notifications/styles.css';
import './notice.css';
import './forced-colors.css';
import { MantineProvider } from '@mantine/core';
import { Notifications } from '@mantine/notifications';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { ApiError } from './api/request.ts';
import { signInHere } from './api/sign-in.ts';
import { App } from './app.tsx';
import { colours, theme } from './theme.ts';

// Whether there is a network says nothing of a console on this machine or behind a cable of its own: it is asked in any case, and a
// change is never kept back to be sent once nobody waits for it. A refusal is an answer: only a console that could not be reached, or that failed, is asked once more.
const queries = new QueryClient({
  defaultOptions: {
    mutations: { networkMode: 'always' },
    queries: {
      networkMode: 'always',
      refetchOnReconnect: true,
      retry: (failures, error) =>
        failures < 1 && !(error instanceof ApiError && error.status >= 400 && error.status < 500),
      refetchOnWindowFocus: false,
      // A database or a console that is down comes back: what could not be read is read again by itself.
      refetchInterval: ({ state: { error } }) =>
        error instanceof ApiError && (error.status === 0 || error.status === 503) ? 5_000 : false,
      staleTime: 5_000,
    },
  },
});

// A page that the browser kept as it was may show what its reader has lost the right to since, by signing out for one: it is loaded again.
addEventListener('pageshow', ({ persisted }) => {
  if (persisted) location.reload();
});

const root = document.getElementById('root');
if (root === null) {
  // A page of the console that was opened without being signed in: the sign-in leads back here, to the fragment too.
  location.replace(signInHere());
} else
  createRoot(root).render(
    <StrictMode>
      <MantineProvider theme={theme} cssVariablesResolver={colours} defaultColorScheme="auto">
        <QueryClientProvider client={queries}>
          <Notifications position="bottom-center" autoClose={3000} />
          <App />
        </QueryClientProvider>
      </MantineProvider>
    </StrictMode>,
  );
