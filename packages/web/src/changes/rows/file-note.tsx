import type { ChangedContent, DiffFile } from '@parley/host/hub';
import { useEffect, useState, type ReactElement } from 'react';
import { formatBytes } from '../../conversation/content/format-bytes.ts';
import { ImageView } from '../../conversation/content/image-view.tsx';
import { askChanges } from '../../hub/changes-requests.ts';
import { useHubClient } from '../../hub/use-hub.ts';
import { failureText } from '../../shell/failure-text.ts';
import { useText } from '../../text/language.tsx';
import { usePanel } from '../panel-context.ts';
import { pathText } from '../path-text.ts';

/** A file whose change has no lines: an image is shown before and after it. */
export function FileNote({ file }: { readonly file: DiffFile }): ReactElement {
  const { changes: text } = useText();
  const mimeType = imageType(pathText(file.path));
  if (!file.binary || mimeType === undefined || file.newMode === link || file.oldMode === link) {
    return <p className="changes-note soft small">{file.binary ? text.binary : text.noLines}</p>;
  }
  return (
    <div className="changes-images">
      {file.status !== 'added' && <ImageSide file={file} side="before" mimeType={mimeType} />}
      {file.status !== 'deleted' && <ImageSide file={file} side="after" mimeType={mimeType} />}
    </div>
  );
}

/** git's mode of a symbolic link. */
const link = '120000';

function ImageSide({
  file: { path },
  side,
  mimeType,
}: {
  readonly file: DiffFile;
  readonly side: 'before' | 'after';
  readonly mimeType: string;
}): ReactElement {
  const { changes: text, shell } = useText();
  const { sessionKey, turn } = usePanel();
  const client = useHubClient();
  const [content, setContent] = useState<ChangedContent | { readonly error: unknown }>();
  useEffect(() => {
    let isWanted = true;
    askChanges(client, 'changedContent', sessionKey, {
      path,
      side,
      ...(turn !== undefined && { turn }),
    }).then(
      (answer) => isWanted && setContent(answer),
      (error: unknown) => isWanted && setContent({ error }),
    );
    return () => {
      isWanted = false;
    };
  }, [client, sessionKey, turn, path, side]);
  return (
    <figure>
      <figcaption className="soft small">{side === 'before' ? text.imageBefore : text.imageAfter}</figcaption>
      {content === undefined ? (
        <p className="soft small">{shell.loading}</p>
      ) : 'error' in content ? (
        <p className="small">{failureText(content.error, shell)}</p>
      ) : content.base64 === undefined ? (
        <p className="soft small">{text.imageTooLarge(formatBytes(content.size))}</p>
      ) : (
        <ImageView image={{ data: content.base64, mimeType, uri: pathText(path) }} />
      )}
    </figure>
  );
}

/** By its name; what it is not is not shown. */
function imageType(path: string): string | undefined {
  const [, ending] = /\.(png|jpe?g|gif|webp|avif|bmp)$/iu.exec(path) ?? [];
  if (ending === undefined) return undefined;
  return `image/${ending.toLowerCase().replace('jpg', 'jpeg')}`;
}
