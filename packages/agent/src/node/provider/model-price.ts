/** The price of a million tokens of a model, in US dollars. */
export interface ModelPrice {
  /** Input tokens. */
  readonly input: number;
  /** Output tokens, including thoughts. */
  readonly output: number;
  /** Input tokens that the provider has cached. @default as `input` */
  readonly cachedInput?: number;
  /** Input tokens that the provider writes to its cache. @default as `input` */
  readonly cacheWrite?: number;
}

/** Prices of models, by `provider/model`. */
export type ModelPrices = Readonly<Record<string, ModelPrice>>;
