//! TCPROS: connection headers and frames.
