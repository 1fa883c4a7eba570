import { Component, type ReactNode } from 'react';

interface Props {
  /** Shown in place of content that failed to render. */
  fallback: ReactNode;
  /** A change of this value renders the failed content again. */
  of?: unknown;
  children: ReactNode;
}

/**
 * Replaces content that fails to render by `fallback`. The page around it stays usable. React reports the
 * error to the console.
 */
export class ErrorBoundary extends Component<Props, { failed: boolean }> {
  override state = { failed: false };

  static getDerivedStateFromError(): { failed: boolean } {
    return { failed: true };
  }

  override componentDidUpdate(before: Props): void {
    if (this.state.failed && before.of !== this.props.of) this.setState({ failed: false });
  }

  override render(): ReactNode {
    return this.state.failed ? this.props.fallback : this.props.children;
  }
}
