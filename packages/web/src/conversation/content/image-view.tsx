import type { ImageContent } from '@parley/acp';
import { X } from 'lucide-react';
import { useRef, type ReactElement } from 'react';
import { shownImage } from '../../limits.ts';
import { useText } from '../../text/language.tsx';
import { OutsideLink } from '../markdown/outside-link.tsx';
import { formatBytes } from './format-bytes.ts';

const kinds = /^image\/(?:png|jpeg|gif|webp|avif|bmp)$/i;

/** A picture that travelled with the message; it is enlarged on demand, and nothing is fetched for it. */
export function ImageView({ image }: { readonly image: ImageContent }): ReactElement {
  const { conversation: text } = useText();
  const dialog = useRef<HTMLDialogElement>(null);
  const { data, mimeType, uri } = image;
  const name = uri?.split('/').at(-1) ?? '';
  const label = name === '' ? text.image : `${text.image}: ${name}`;
  if (data === '' || !kinds.test(mimeType) || data.length > shownImage) {
    return (
      <p className="content-resource soft small">
        {data.length > shownImage ? text.imageTooLarge : text.imageElsewhere}{' '}
        <OutsideLink address={uri}>{uri ?? mimeType}</OutsideLink>
        {data !== '' && ` (${formatBytes((data.length * 3) / 4)})`}
      </p>
    );
  }
  const source = `data:${mimeType};base64,${data}`;
  return (
    <>
      <button
        type="button"
        className="content-image"
        title={text.enlargeImage}
        onClick={() => {
          dialog.current?.showModal();
        }}
      >
        <img src={source} alt={label} loading="lazy" />
      </button>
      <dialog ref={dialog} className="content-enlarged" aria-label={label}>
        <button
          type="button"
          className="button"
          onClick={() => {
            dialog.current?.close();
          }}
        >
          <X size={16} aria-hidden /> {text.closeImage}
        </button>
        <img src={source} alt={label} />
      </dialog>
    </>
  );
}
