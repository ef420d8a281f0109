import './notices.css';
import { useEffect } from 'react';
import { Button } from '../../components/button.tsx';
import { useNotices } from '../../stores/notices.ts';

const SHOWN_MS = 6000;

/** The live region of the window, and the one toast. */
export function Notices() {
  const { spoken, toast, dismiss } = useNotices();
  useEffect(() => {
    if (toast === null) return;
    const timer = setTimeout(() => dismiss(toast.id), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [toast, dismiss]);
  return (
    <>
      <div key={spoken.id} className="sr-only" role="status">
        {spoken.text}
      </div>
      {toast !== null && (
        <div className="toast" aria-hidden={toast.undo === null}>
          <span>{toast.text}</span>
          {toast.undo !== null && (
            <Button
              kind="plain"
              onClick={() => {
                toast.undo?.();
                dismiss(toast.id);
              }}
            >
              Undo
            </Button>
          )}
        </div>
      )}
    </>
  );
}
