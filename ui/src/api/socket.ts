// Closing a WebSocket. A browser complains when one is closed that is not open yet.

export function end(socket: WebSocket | null): void {
  if (socket?.readyState !== WebSocket.CONNECTING) {
    socket?.close()
    return
  }
  socket.onmessage = null
  socket.onopen = () => socket.close()
}
