import { Paper, Stepper, Text } from '@mantine/core';
import classes from './chain.module.css';

/** The first steps, until there is an endpoint: what is declared already and what comes next. */
export function Chain({ providers, models }: { providers: number; models: number }) {
  const step = providers === 0 ? 0 : models === 0 ? 1 : 2;
  return (
    <Paper withBorder p="lg" aria-label="First steps">
      <Stepper active={step} size="sm" mb="sm" classNames={classes}>
        <Stepper.Step label="Provider" description="Where the engine listens" />
        <Stepper.Step label="Model" description="What it serves" />
        <Stepper.Step label="Endpoint" description="The name callers use" />
      </Stepper>
      <Text size="sm" c="dimmed">
        Every call is answered 404 until one provider, one model and one endpoint are declared.{' '}
        {['Begin with the provider.', 'Next, a model of your provider.', 'Last, the endpoint.'][step]}
      </Text>
    </Paper>
  );
}
