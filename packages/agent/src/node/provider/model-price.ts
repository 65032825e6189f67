/** What a million tokens of a model cost, in US dollars. */
export interface ModelPrice {
  /** Tokens that the model reads. */
  readonly input: number;
  /** Tokens that it writes, its thoughts among them. */
  readonly output: number;
  /** Tokens that the provider has read before. @default as `input` */
  readonly cachedInput?: number;
  /** Tokens that the provider keeps for the next time. @default as `input` */
  readonly cacheWrite?: number;
}

/** Prices of models, by `provider/model`. */
export type ModelPrices = Readonly<Record<string, ModelPrice>>;
