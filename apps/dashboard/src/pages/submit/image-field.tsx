import { ImageUp, X } from 'lucide-react';
import { useEffect, useState } from 'react';
import { Button } from '../../ui/button.js';
import { cx } from '../../ui/cx.js';
import type { ChosenImage } from './alert-form.js';

const TYPES: readonly string[] = [
  'image/png',
  'image/jpeg',
  'image/webp',
] satisfies ChosenImage['mediaType'][];

interface ImageFieldProps {
  image: ChosenImage | null;
  change(image: ChosenImage | null): void;
}

/** Takes an image that is chosen, dropped on it, or pasted anywhere on the page. */
export function ImageField({ image, change }: ImageFieldProps) {
  const [problem, setProblem] = useState<string | null>(null);
  const [isOver, setIsOver] = useState(false);
  const take = (file: File | undefined): void => {
    if (file === undefined) return;
    if (!TYPES.includes(file.type)) return setProblem(`${file.name} is not a PNG, JPEG or WebP image.`);
    setProblem(null);
    void read(file).then(change, () => setProblem(`${file.name} could not be read.`));
  };
  usePaste(take);
  return (
    <div className="form-row">
      <span className="form-label" id="image-label">
        Image
      </span>
      {image === null ? (
        <label
          className={cx('drop', isOver && 'drop-over')}
          onDragOver={(event) => {
            event.preventDefault();
            setIsOver(true);
          }}
          onDragLeave={() => setIsOver(false)}
          onDrop={(event) => {
            event.preventDefault();
            setIsOver(false);
            take(event.dataTransfer.files[0]);
          }}
        >
          <ImageUp aria-hidden="true" size={18} strokeWidth={1.6} />
          <span>Drop a screenshot here, paste it, or choose a file</span>
          <input
            type="file"
            className="visually-hidden"
            accept={TYPES.join(',')}
            aria-labelledby="image-label"
            onChange={(event) => take(event.target.files?.[0])}
          />
        </label>
      ) : (
        <Chosen image={image} remove={() => change(null)} />
      )}
      {problem !== null && (
        <p className="form-error" role="alert">
          {problem}
        </p>
      )}
    </div>
  );
}

function Chosen({ image, remove }: { image: ChosenImage; remove: () => void }) {
  return (
    <div className="chosen">
      <img src={`data:${image.mediaType};base64,${image.base64}`} alt="The chosen image" />
      <span className="cut">
        {image.name} · {Math.ceil(image.bytes / 1_024).toLocaleString('en')} kB
      </span>
      <Button kind="bare" small onClick={remove} aria-label="Remove the image">
        <X aria-hidden="true" size={14} />
      </Button>
    </div>
  );
}

function usePaste(take: (file: File | undefined) => void): void {
  useEffect(() => {
    const paste = ({ clipboardData }: ClipboardEvent): void => {
      const file = [...(clipboardData?.files ?? [])].find(({ type }) => TYPES.includes(type));
      if (file !== undefined) take(file);
    };
    window.addEventListener('paste', paste);
    return () => window.removeEventListener('paste', paste);
  });
}

function read(file: File): Promise<ChosenImage> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onerror = () => reject(reader.error ?? new Error('the file could not be read'));
    reader.onload = () => {
      const base64 = String(reader.result).split(',')[1] ?? '';
      resolve({
        name: file.name,
        mediaType: file.type as ChosenImage['mediaType'],
        base64,
        bytes: file.size,
      });
    };
    reader.readAsDataURL(file);
  });
}
