import encodeQr from 'qr';
import type { ReactElement } from 'react';
import './qr-code.css';

/** ISO/IEC 18004: the light margin that readers need, in modules. */
const quietModules = 4;

/** A text that another device reads with its camera. */
export function QrCode({ text, label }: { readonly text: string; readonly label: string }): ReactElement {
  const svg = encodeQr(text, 'svg', { ecc: 'medium', border: quietModules });
  return <img className="qr-code" src={`data:image/svg+xml,${encodeURIComponent(svg)}`} alt={label} />;
}
