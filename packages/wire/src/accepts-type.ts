/**
 * Checks whether an `Accept` header allows a media type. The most specific matching range decides; no header allows
 * every type. Source: RFC 9110, 12.5.1.
 */
export function acceptsType(accept: string | null, type: string): boolean {
  if (accept === null || accept.trim() === '') return true;
  const ranges = [type, `${type.split('/', 1)[0] ?? ''}/*`, '*/*'];
  let narrowest = ranges.length;
  let isAccepted = false;
  for (const listed of accept.toLowerCase().split(',')) {
    const [range = '', ...params] = listed.split(';').map((part) => part.trim());
    const rank = ranges.indexOf(range);
    if (rank === -1 || rank > narrowest) continue;
    narrowest = rank;
    isAccepted = !params.some((param) => /^q=0(\.0*)?$/.test(param));
  }
  return isAccepted;
}
