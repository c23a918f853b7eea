import { Alert, Text } from '@mantine/core';

/** A warning for a Base URL that ends in a version, as the documents of most engines print it. */
export function VersionTwice({ baseUrl }: { baseUrl: string }) {
  if (!/\/v\d+\/?$/.test(baseUrl.trim())) return null;
  return (
    <Alert color="yellow" variant="light" role="status" title="The address may have the version twice">
      <Text size="sm">
        Clients mostly ask for /v1/chat/completions, which is appended to the Base URL. With /v1 at its end, callers
        have to leave the version out.
      </Text>
    </Alert>
  );
}
