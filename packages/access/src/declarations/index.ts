/** What administrators declare, checked member by member: the one rule of the console and of `gatewayctl apply`. */
export {
  accountFields,
  changedProvider,
  endpointFields,
  faultsOfProvider,
  HIGHEST_USUAL_PRICE,
  modelFields,
  newProvider,
  PRICE_UNIT,
  PRICES,
  testedProvider,
} from './provider.ts';
export { faultsIn, type InputFault, line, name, reason, slug, subject } from './text.ts';
