import { hostname } from 'node:os';
import { BRAND } from '@gateway/contract';

const attribute = ([key, stringValue]: readonly [string, string]) => ({ key, value: { stringValue } });

/** Attributes in the JSON form of OTLP. */
export const attributesOf = (attributes: Readonly<Record<string, string>>) => Object.entries(attributes).map(attribute);

/** An instant in the JSON form of OTLP. @param milliseconds since 1970; parts of one count to the microsecond. */
export function nanoseconds(milliseconds: number): string {
  const whole = Math.floor(milliseconds);
  return `${whole}${String(Math.floor((milliseconds - whole) * 1000)).padStart(3, '0')}000`;
}

/** What measures. @param instance names this process among several. */
export function resourceOf(instance: string) {
  return {
    attributes: attributesOf({ 'service.name': BRAND, 'service.instance.id': instance, 'host.name': hostname() }),
  };
}
