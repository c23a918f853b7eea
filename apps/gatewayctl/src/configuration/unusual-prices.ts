import { HIGHEST_USUAL_PRICE, type InputFault, PRICES } from '@gateway/access/declarations';
import type { ConfigurationDocument } from './document.ts';

const EUROS = new Intl.NumberFormat('en-GB', { maximumFractionDigits: 6 });

/** Prices that are probably for a million tokens. `apply` refuses them unless it is forced. */
export function unusualPrices({ models = [] }: ConfigurationDocument): readonly InputFault[] {
  return models.flatMap((model, index) =>
    PRICES.flatMap((name) => {
      const price = model[name];
      if (price === null || price <= HIGHEST_USUAL_PRICE) return [];
      const perMillion = EUROS.format(price * 1_000_000);
      const sentence = `is ${price} euros per token, which is € ${perMillion} per million tokens. Correct it: prices are euros per token. To apply it nevertheless, use --force`;
      return [{ path: ['models', index, name], sentence }];
    }),
  );
}
