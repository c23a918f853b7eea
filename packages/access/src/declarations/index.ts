/** What administrators declare, checked member by member: the one rule of the console and of `gatewayctl apply`. */
export { accountFields } from './account.ts';
export { endpointFields } from './endpoint.ts';
export { faultsIn, type InputFault } from './faults.ts';
export { HIGHEST_USUAL_PRICE, modelFields, PRICE_UNIT, PRICES } from './model.ts';
export { changedProvider, faultsOfProvider, newProvider, testedProvider } from './provider.ts';
export { line, name, reason, slug, subject } from './text.ts';
