import { Alert, Button, Skeleton, Text } from '@mantine/core';
import { Component, type ComponentType, lazy, type ReactNode, Suspense } from 'react';

/** The script of a page did not come. */
class PageNotLoaded extends Error {}

/** Says that the script of a page did not come; other errors go on to the browser. */
class Boundary extends Component<{ readonly children: ReactNode }, { readonly error: unknown }> {
  override readonly state = { error: null };
  static getDerivedStateFromError(error: unknown) {
    return { error };
  }
  override render() {
    const { error } = this.state as { error: unknown };
    if (error === null) return this.props.children;
    if (!(error instanceof PageNotLoaded)) throw error;
    return (
      <Alert color="red" variant="light" role="alert" title="This page could not be loaded">
        <Text size="sm" mb="xs">
          The console cannot be reached, was upgraded meanwhile, or your session ended. Reload the page.
        </Text>
        <Button size="xs" variant="default" onClick={() => location.reload()}>
          Reload the page
        </Button>
      </Alert>
    );
  }
}

/** A page whose script is loaded when it is first shown: the first page of the console waits for none of it. */
export function lazyPage(load: () => Promise<ComponentType>): ComponentType {
  const Page = lazy(() =>
    load().then(
      (page) => ({ default: page }),
      (error: unknown) => {
        throw new PageNotLoaded('The script of the page was not loaded.', { cause: error });
      },
    ),
  );
  return function LazyPage() {
    return (
      <Boundary>
        <Suspense fallback={<Skeleton height={220} role="status" aria-busy="true" aria-label="Page: loading" />}>
          <Page />
        </Suspense>
      </Boundary>
    );
  };
}
