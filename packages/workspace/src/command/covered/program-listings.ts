import {
  cargoListing,
  dotnetListing,
  goListing,
  gradleListing,
  justListing,
  makeListing,
  mavenListing,
  terraformListing,
} from './build-listings.ts';
import {
  eslintListing,
  jestListing,
  prettierListing,
  pytestListing,
  tscListing,
  vitestListing,
} from './checker-listings.ts';
import { containersListing, ghListing, kubectlListing } from './cluster-listings.ts';
import { gitListing } from './git-listing.ts';
import type { Listing } from './listing.ts';
import { bunListing, npmListing, pipListing, pnpmListing, yarnListing } from './package-listings.ts';
import { readerListings } from './reader-listings.ts';

/** The listings of harmless words, by the name of the program in a command. */
export const programListings: ReadonlyMap<string, Listing> = new Map([
  ...Object.entries(readerListings),
  ['git', gitListing],
  ['npm', npmListing],
  ['pnpm', pnpmListing],
  ['yarn', yarnListing],
  ['bun', bunListing],
  ['cargo', cargoListing],
  ['go', goListing],
  ['make', makeListing],
  ['just', justListing],
  ['dotnet', dotnetListing],
  ['mvn', mavenListing],
  ['./mvnw', mavenListing],
  ['gradle', gradleListing],
  ['./gradlew', gradleListing],
  ['terraform', terraformListing],
  ['pip', pipListing],
  ['pip3', pipListing],
  ['docker', containersListing],
  ['podman', containersListing],
  ['kubectl', kubectlListing],
  ['gh', ghListing],
  ['tsc', tscListing],
  ['eslint', eslintListing],
  ['prettier', prettierListing],
  ['vitest', vitestListing],
  ['jest', jestListing],
  ['pytest', pytestListing],
]);
