//! Robots of a swarm at a broker: those that the gateway is, and those that it listens to.

mod ask;
mod gateway;
mod mosquitto;
mod orders;
mod outage;
mod served;
mod session;
mod swarm;
