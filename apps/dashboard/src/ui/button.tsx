import type { ButtonHTMLAttributes } from 'react';
import { cx } from './cx.js';
import './button.css';

export interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  kind?: 'plain' | 'primary' | 'danger' | 'bare';
  small?: boolean;
}

export function Button({ kind = 'plain', small = false, className, type = 'button', ...rest }: ButtonProps) {
  return (
    <button
      {...rest}
      type={type}
      className={cx('button', `button-${kind}`, small && 'button-small', className)}
    />
  );
}
