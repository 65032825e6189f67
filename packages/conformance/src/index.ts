export { transportContract, type TransportEnds, type TransportRequirement } from './transport-contract.ts';
